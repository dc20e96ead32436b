import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';

class LinkView {
  @Shown(String, 'What is at the address.', { enum: ['self'] })
  rel: string;

  @Shown(String, 'The address.')
  href: string;
}

class VersionView {
  @Shown(String, 'Its name.')
  id: string;

  @Shown(String, 'Whether it is the latest.', { enum: ['CURRENT'] })
  status: string;

  @Shown([() => LinkView], 'Where it is.')
  links: LinkView[];
}

class ResourceLinkView {
  @Shown(String, 'A resource in the singular.')
  name: string;

  @Shown(String, 'The same in the plural.')
  collection: string;

  @Shown([() => LinkView], 'Where its list is.')
  links: LinkView[];
}

const VersionList = answerClass('VersionList', {
  versions: Shown([() => VersionView], 'The one version that there is.'),
});

const VersionResources = answerClass('VersionResources', {
  resources: Shown([() => ResourceLinkView], 'The resources of the core API.'),
});

const CORE = { network: 'networks', subnet: 'subnets', port: 'ports' };

/** Public source: Networking API reference, "API versions". */
@ApiTags('versions')
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
