/** Public source: Orchestration API reference, "Build information". */
import { Controller, Get } from '@nestjs/common';
import { Allow } from '@cumulet/common/auth/access';
import { Operation } from '@cumulet/common/http/operation';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';

const Build = answerClass('Build', { revision: Shown(String, 'What it was built from.') });

const BuildInfo = answerClass('BuildInfo', {
  api: Shown(() => Build, 'What answers requests.'),
  engine: Shown(() => Build, 'What works on stacks.'),
});

const REVISION = 'cumulet';

@Controller('build_info')
export class BuildInfoController {
  @Get()
  @Allow('reader')
  @Operation('Show build information', BuildInfo)
  show(): object {
    return { api: { revision: REVISION }, engine: { revision: REVISION } };
  }
}

@Feature({ controllers: [BuildInfoController] })
export class BuildInfoModule {}
