import { Public } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { allUnder } from '@cumulet/common/http/answers';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { Controller, Get } from '@nestjs/common';
import { Feature } from '@cumulet/common/service/feature';

const VersionLink = answerClass('VersionLink', {
  rel: Shown(String, 'The relation of the link.', { enum: ['self'] }),
  href: Shown(String, 'The URL.'),
});

const VersionView = answerClass('VersionView', {
  id: Shown(String, 'The name of the version.'),
  status: Shown(String, 'Whether it is the latest.', { enum: ['CURRENT', 'SUPPORTED'] }),
  links: Shown([() => VersionLink], 'Links to the version.'),
});

const VersionList = allUnder('versions', VersionView, 'Every version, the latest first.');

/**
 * Supported versions, all at one address. 2.14 and 2.16 are absent since clients conclude from them
 * that there is a cache.
 */
const MINORS = [18, 17, 15, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];

/** Public source: Image API reference, "API versions". */
@Controller()
export class VersionsController {
  @Get()
  @Public()
  @Operation('List API versions to choose from', VersionList, { status: 300 })
  choices(@Ctx() ctx: RequestContext): object {
    return this.list(ctx);
  }

  /** Also serves clients configured with the address of version 2. */
  @Get(['versions', 'v2'])
  @Public()
  @Operation('List API versions', VersionList)
  list(@Ctx() { baseUrl }: RequestContext): object {
    const versions = MINORS.map((minor, at): object => ({
      id: `v2.${minor}`,
      status: at === 0 ? 'CURRENT' : 'SUPPORTED',
      links: [{ rel: 'self', href: `${baseUrl}/v2/` }],
    }));
    return { versions };
  }
}

@Feature({
  controllers: [VersionsController],
})
export class VersionsModule {}
