/** The versions of the API. Public source: heat, `api/versions.py`. */
import { Controller, Get } from '@nestjs/common';
import { Public } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { allUnder } from '@cumulet/common/http/answers';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';
import { Link } from '../http/links.js';

export const Version = answerClass('Version', {
  id: Shown(String, 'The name.'),
  status: Shown(String, 'What becomes of it.', { enum: ['CURRENT'] }),
  links: Shown([() => Link], 'Links to it.'),
});

export const VersionList = allUnder('versions', Version);

@Controller()
export class VersionsController {
  /** With Heat's status, which clients' discovery expects. */
  @Get(['', 'v1', 'v1/:project_id'])
  @Public()
  @Operation('List API versions', VersionList, { status: 300 })
  list(@Ctx() { baseUrl }: RequestContext): object {
    const links = [{ rel: 'self', href: `${baseUrl}/v1/` }];
    return { versions: [{ id: 'v1.0', status: 'CURRENT', links }] };
  }
}

@Feature({ controllers: [VersionsController] })
export class VersionsModule {}
