/**
 * Public source: Key Manager API guide, "Microversions". Answers in 1.0 have the form from before
 * microversions.
 */
import { Public } from '@cumulet/common/auth/access';
import { Microversion, type MicroversionRange } from '@cumulet/common/context/microversion';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { allUnder, shownUnder } from '@cumulet/common/http/answers';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';
import { Controller, Get } from '@nestjs/common';

/**
 * 1.1 brought consumers of secrets, and 1.2 refuses to delete a secret that has any. Public source:
 * Key Manager API, "REST API Version History".
 */
export const SECRETS_VERSIONS: MicroversionRange = {
  service: 'key-manager',
  min: new Microversion(1, 0),
  max: new Microversion(1, 2),
};

class VersionLink {
  @Shown(String, 'The relation of the link.', { enum: ['self', 'describedby'] })
  rel: string;

  @Shown(String, 'The URL.')
  href: string;

  @Shown(String, 'The media type of the target.', { optional: true })
  type?: string;
}

const MediaType = answerClass('MediaType', {
  base: Shown(String, 'The general media type.'),
  type: Shown(String, 'The media type.'),
});

const VersionView = answerClass('VersionView', {
  id: Shown(String, 'The name of the version.', { enum: ['v1'] }),
  status: Shown(String, 'Whether it is the latest.', { enum: ['CURRENT', 'stable'] }),
  links: Shown([() => VersionLink], 'Links to the version.'),
  min_version: Shown(String, 'The minimum microversion.', { since: 1, major: 1 }),
  max_version: Shown(String, 'The maximum microversion.', { since: 1, major: 1 }),
  'media-types': Shown([() => MediaType], 'The media types of the version.', {
    until: 0,
    major: 1,
  }),
});

const VersionValues = allUnder('values', VersionView);

class VersionList {
  @Shown([() => VersionView], 'Every version.', { since: 1, major: 1 })
  @Shown(() => VersionValues, 'Every version, under `values`.', { until: 0, major: 1 })
  versions: object;
}

const VersionAnswer = shownUnder('version', VersionView);

@Controller()
export class VersionsController {
  @Get()
  @Public()
  @Operation('List API versions', VersionList, { status: 300 })
  list(@Ctx() ctx: RequestContext): object {
    const all = [versionOf(ctx)];
    return { versions: hasMicroversions(ctx) ? all : { values: all } };
  }

  @Get('v1')
  @Public()
  @Operation('Show the API version', VersionAnswer)
  show(@Ctx() ctx: RequestContext): object {
    return { version: versionOf(ctx) };
  }
}

function hasMicroversions({ fields }: RequestContext): boolean {
  return fields.microversion?.atLeast(1) === true;
}

function versionOf(ctx: RequestContext): object {
  const { min, max } = SECRETS_VERSIONS;
  const links: VersionLink[] = [
    { rel: 'self', href: `${ctx.baseUrl}/v1/` },
    { rel: 'describedby', type: 'text/html', href: 'https://docs.openstack.org/' },
  ];
  if (hasMicroversions(ctx)) {
    const range = { min_version: min.toString(), max_version: max.toString() };
    return { id: 'v1', status: 'CURRENT', links, ...range };
  }
  const json = 'application/json';
  const media = { base: json, type: 'application/vnd.openstack.key-manager-v1+json' };
  return { id: 'v1', status: 'stable', links, 'media-types': [media] };
}

@Feature({ controllers: [VersionsController] })
export class VersionsModule {}
