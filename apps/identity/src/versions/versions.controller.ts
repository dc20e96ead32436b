/** Version documents. Public source: Keystone API reference, "API versions". */
import { Controller, Get } from '@nestjs/common';
import { Public } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Shown } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';
import { shownUnder } from '../resource/resource.view.js';

class VersionLink {
  @Shown(String, 'What it leads to.', { example: 'self' })
  rel: string;

  @Shown(String, 'The address.')
  href: string;
}

class MediaType {
  @Shown(String, 'The general type.')
  base: string;

  @Shown(String, 'The type of this version.')
  type: string;
}

class IdentityVersion {
  @Shown(String, 'The version.', { example: 'v3.14' })
  id: string;

  @Shown(String, 'Whether to rely on it.', { example: 'stable' })
  status: string;

  @Shown('date-time', 'When the version was last changed.')
  updated: string;

  @Shown([() => VersionLink], 'Where it is found.')
  links: VersionLink[];

  @Shown([() => MediaType], 'What it speaks.')
  'media-types': MediaType[];
}

class IdentityVersions {
  @Shown([() => IdentityVersion], 'The versions, of which there is one.')
  values: IdentityVersion[];
}

class IdentityVersionList {
  @Shown(() => IdentityVersions, 'What there is to choose from.')
  versions: IdentityVersions;
}

@Controller()
export class VersionsController {
  @Get()
  @Public()
  @Operation('List versions', IdentityVersionList, { status: 300 })
  list(@Ctx() ctx: RequestContext): IdentityVersionList {
    return { versions: { values: [versionAt(ctx.baseUrl)] } };
  }

  @Get('v3')
  @Public()
  @Operation('Show the version', shownUnder('version', IdentityVersion))
  show(@Ctx() ctx: RequestContext): object {
    return { version: versionAt(ctx.baseUrl) };
  }
}

function versionAt(baseUrl: string): IdentityVersion {
  return {
    id: 'v3.14',
    status: 'stable',
    updated: '2020-04-07T00:00:00Z',
    links: [{ rel: 'self', href: `${baseUrl}/v3/` }],
    'media-types': [
      { base: 'application/json', type: 'application/vnd.openstack.identity-v3+json' },
    ],
  };
}

@Feature({
  controllers: [VersionsController],
})
export class VersionsModule {}
