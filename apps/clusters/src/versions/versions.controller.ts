/** Public source: magnum, `api/controllers/root.py` and `v1/__init__.py`. */
import { Controller, Get } from '@nestjs/common';
import { Public } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { AdditionalProperties, answerClass, Shown } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';
import { Link, linksTo } from '../http/links.js';
import { CLUSTERS_VERSIONS } from '../http/microversions.js';

const Version = answerClass('Version', {
  id: Shown(String, 'The name of the version.'),
  status: Shown(String, 'The status of the version.', { enum: ['CURRENT'] }),
  min_version: Shown(String, 'The first microversion.'),
  max_version: Shown(String, 'The last microversion.'),
  links: Shown([() => Link], 'Links to the version.'),
});

const VersionList = answerClass('VersionList', {
  name: Shown(String, 'The name of the API.'),
  description: Shown(String, 'A description of the API.'),
  versions: Shown([() => Version], 'Every version.'),
});

@AdditionalProperties()
export class VersionView {
  @Shown(String, 'The name of the version.')
  id: string;

  @Shown([Object], 'The media types of its bodies.')
  media_types: object[];

  @Shown([() => Link], 'Links to the version.')
  links: Link[];
}

const COLLECTIONS = [
  'clustertemplates',
  'clusters',
  'quotas',
  'certificates',
  'mservices',
  'stats',
  // As in Magnum, which lists them without supporting them.
  'federations',
  'credentials',
];

@Controller()
export class VersionsController {
  @Get()
  @Public()
  @Operation('List API versions', VersionList)
  list(@Ctx() { baseUrl }: RequestContext): object {
    const { min, max } = CLUSTERS_VERSIONS;
    return {
      name: 'OpenStack Magnum API',
      description: 'Clusters of containers on servers of the cloud.',
      versions: [
        {
          id: 'v1',
          status: 'CURRENT',
          min_version: min.toString(),
          max_version: max.toString(),
          links: [selfLink(baseUrl)],
        },
      ],
    };
  }

  @Get('v1')
  @Public()
  @Operation('Show the version of the API', VersionView)
  show(@Ctx() ctx: RequestContext): object {
    return {
      id: 'v1',
      media_types: [{ base: 'application/json', type: 'application/vnd.openstack.magnum.v1+json' }],
      links: [selfLink(ctx.baseUrl)],
      ...Object.fromEntries(COLLECTIONS.map((name) => [name, linksTo(ctx, `${name}/`)])),
      nodegroups: linksTo(ctx, 'clusters/{cluster_id}/nodegroups'),
    };
  }
}

function selfLink(baseUrl: string): Link {
  return { rel: 'self', href: `${baseUrl}/v1/` };
}

@Feature({ controllers: [VersionsController] })
export class VersionsModule {}
