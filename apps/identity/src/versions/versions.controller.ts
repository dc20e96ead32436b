/** Version documents. Public source: Keystone API reference, "API versions". */
import { Controller, Get } from '@nestjs/common';
import { Public } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { allUnder, shownUnder } from '@cumulet/common/http/answers';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';

const VersionLink = answerClass('VersionLink', {
  rel: Shown(String, 'The relation of the link.', { example: 'self' }),
  href: Shown(String, 'The URL.'),
});

const MediaType = answerClass('MediaType', {
  base: Shown(String, 'The general media type.'),
  type: Shown(String, 'The media type of this version.'),
});

const IdentityVersion = answerClass('IdentityVersion', {
  id: Shown(String, 'The version.', { example: 'v3.14' }),
  status: Shown(String, 'The status of the version.', { example: 'stable' }),
  updated: Shown('date-time', 'When the version was last changed.'),
  links: Shown([() => VersionLink], 'Links to the version.'),
  'media-types': Shown([() => MediaType], 'The media types.'),
});

const IdentityVersions = allUnder('values', IdentityVersion, 'The versions.');

const IdentityVersionList = shownUnder('versions', IdentityVersions);

@Controller()
export class VersionsController {
  @Get()
  @Public()
  @Operation('List versions', IdentityVersionList, { status: 300 })
  list(@Ctx() ctx: RequestContext): object {
    return { versions: { values: [versionAt(ctx.baseUrl)] } };
  }

  @Get('v3')
  @Public()
  @Operation('Show the version', shownUnder('version', IdentityVersion))
  show(@Ctx() ctx: RequestContext): object {
    return { version: versionAt(ctx.baseUrl) };
  }
}

function versionAt(baseUrl: string): object {
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
