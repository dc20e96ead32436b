import { Controller, Get } from '@nestjs/common';
import { Public } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { allUnder } from '@cumulet/common/http/answers';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';

const LinkView = answerClass('LinkView', {
  rel: Shown(String, 'The relation of the link.', { enum: ['self'] }),
  href: Shown(String, 'The address.'),
});

const VersionView = answerClass('VersionView', {
  id: Shown(String, 'The name of the version.'),
  status: Shown(String, 'Whether it is the current version.', { enum: ['CURRENT'] }),
  links: Shown([() => LinkView], 'The links of the version.'),
});

const ResourceLinkView = answerClass('ResourceLinkView', {
  name: Shown(String, 'The singular of the resource.'),
  collection: Shown(String, 'The plural of the resource.'),
  links: Shown([() => LinkView], 'The links of the resource.'),
});

const VersionList = allUnder('versions', VersionView);

const VersionResources = allUnder('resources', ResourceLinkView, 'The resources of the core API.');

const CORE = { network: 'networks', subnet: 'subnets', port: 'ports' };

/** Public source: Networking API reference, "API versions". */
@Controller()
export class VersionsController {
  @Get()
  @Public()
  @Operation('List API versions', VersionList)
  list(@Ctx() { baseUrl }: RequestContext): object {
    const links = [{ rel: 'self', href: `${baseUrl}/v2.0/` }];
    return { versions: [{ id: 'v2.0', status: 'CURRENT', links }] };
  }

  @Get('v2.0')
  @Public()
  @Operation('Show API version 2.0', VersionResources)
  show(@Ctx() { baseUrl }: RequestContext): object {
    const resources = Object.entries(CORE).map(([name, collection]) => {
      const links = [{ rel: 'self', href: `${baseUrl}/v2.0/${collection}` }];
      return { name, collection, links };
    });
    return { resources };
  }
}

@Feature({ controllers: [VersionsController] })
export class VersionsModule {}
