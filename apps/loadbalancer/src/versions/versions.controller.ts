import { Controller, Get } from '@nestjs/common';
import { Public } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { allUnder } from '@cumulet/common/http/answers';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';

export interface OctaviaVersion {
  readonly id: string;
  readonly updated: string;
  readonly brought: string;
}

/**
 * The versions of Octavia's API, each of which includes those before it; the last one is offered
 * here. Public source: octavia, `api/root_controller.py`; Load Balancer API
 * reference, "API Versions".
 */
const MINORS: readonly (readonly [day: string, brought: string])[] = [
  ['2016-12-11', 'load balancers, listeners, pools, members, health monitors, L7, quotas'],
  ['2018-04-20', 'providers'],
  ['2018-07-31', 'failover of single instances'],
  ['2018-12-18', 'timeouts of listeners'],
  ['2018-12-19', 'statistics of instances'],
  ['2019-01-21', 'tags'],
  ['2019-01-25', 'flavors'],
  ['2018-01-25', 'configuration of instances'],
  ['2019-02-12', 'client authentication by TLS'],
  ['2019-03-04', 'codes of redirects'],
  ['2019-03-05', 'host names and versions of HTTP health checks'],
  ['2019-06-24', 'batches that only add members'],
  ['2019-09-11', 'networks that may connect to a listener'],
  ['2019-09-13', 'SOURCE_IP_PORT'],
  ['2019-11-10', 'availability zones'],
  ['2020-03-10', 'ciphers'],
  ['2020-03-15', 'health checks of UDP pools by HTTP and TCP'],
  ['2020-04-29', 'TLS versions of listeners'],
  ['2020-04-29', 'TLS versions of pools'],
  ['2020-05-12', 'quotas of L7 policies and rules'],
  ['2020-08-02', 'ALPN of listeners'],
  ['2020-09-03', 'deletion of instances'],
  ['2020-09-04', 'PROXYV2'],
  ['2020-09-07', 'SCTP'],
  ['2020-10-15', 'ALPN of pools'],
  ['2021-10-02', 'PROMETHEUS listeners'],
  ['2022-08-29', 'additional VIPs'],
  ['2023-05-05', 'Strict-Transport-Security'],
  ['2023-11-08', "how a VIP's port is plugged in"],
  ['2024-10-15', 'security groups of VIPs'],
];

const OCTAVIA_VERSIONS: readonly OctaviaVersion[] = MINORS.map(([day, brought], minor) => ({
  id: `v2.${minor}`,
  updated: `${day}T00:00:00Z`,
  brought,
}));

const VersionLink = answerClass('VersionLink', {
  rel: Shown(String, 'The relation of the link.', { enum: ['self'] }),
  href: Shown(String, 'The URL.'),
});

const VersionView = answerClass('VersionView', {
  id: Shown(String, 'The ID of the version.'),
  status: Shown(String, 'CURRENT for the latest version, SUPPORTED for earlier ones.', {
    enum: ['SUPPORTED', 'CURRENT'],
  }),
  updated: Shown(String, 'When Octavia introduced the version.'),
  links: Shown([() => VersionLink], 'Links to the version.'),
});

const VersionList = allUnder('versions', VersionView, 'All versions, the latest last.');

const HISTORY = `What each version added: ${OCTAVIA_VERSIONS.map(
  ({ id, brought }) => `${id} ${brought}`,
).join('; ')}.`;

/** Public source: Load Balancer API reference, "API Discovery". */
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
