import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';
import { OCTAVIA_VERSIONS } from './octavia-versions.js';

class VersionLink {
  @Shown(String, 'What is at the address.', { enum: ['self'] })
  rel: string;

  @Shown(String, 'The address.')
  href: string;
}

class VersionView {
  @Shown(String, 'Its name.')
  id: string;

  @Shown(String, 'Whether it is the latest.', { enum: ['SUPPORTED', 'CURRENT'] })
  status: string;

  @Shown(String, 'When Octavia made it.')
  updated: string;

  @Shown([() => VersionLink], 'Where it is.')
  links: VersionLink[];
}

const VersionList = answerClass('VersionList', {
  versions: Shown([() => VersionView], 'Every version, the latest last.'),
});

const HISTORY = `They brought, one after the other: ${OCTAVIA_VERSIONS.map(
  ({ id, brought }) => `${id} ${brought}`,
).join('; ')}.`;

/** Public source: Load Balancer API reference, "API Discovery". */
@ApiTags('versions')
@Controller()
export class VersionsController {
  @Get()
  @Public()
  @Operation('List API versions', VersionList, { description: HISTORY })
  list(@Ctx() ctx: RequestContext): object {
    return listOf(ctx);
  }

  /** For clients whose catalog names a version. */
  @Get(['v2', 'v2.0'])
  @Public()
  @Operation('Show API version 2', VersionList)
  show(@Ctx() ctx: RequestContext): object {
    return listOf(ctx);
  }
}

function listOf({ baseUrl }: RequestContext): object {
  const latest = OCTAVIA_VERSIONS.at(-1);
  const links = [{ rel: 'self', href: `${baseUrl}/v2` }];
  const versions = OCTAVIA_VERSIONS.map((version) => {
    const { id, updated } = version;
    return { id, status: version === latest ? 'CURRENT' : 'SUPPORTED', updated, links };
  });
  return { versions };
}

@Feature({ controllers: [VersionsController] })
export class VersionsModule {}
