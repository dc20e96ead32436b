import { Controller, Get, Param } from '@nestjs/common';
import { Authenticated } from '@cumulet/common/auth/access';
import { notFound } from '@cumulet/common/errors/domain-error';
import { Operation } from '@cumulet/common/http/operation';
import { allUnder, shownUnder } from '@cumulet/common/http/answers';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';
import type { Extension } from './policy-extensions.js';
import { EXTENSIONS } from './extensions.js';

const ExtensionView = answerClass('ExtensionView', {
  alias: Shown(String, 'The alias of the extension.'),
  name: Shown(String, 'The name.'),
  description: Shown(String, 'The description.'),
  updated: Shown(String, 'The time at which the extension was last changed.'),
  links: Shown([Object], 'Always empty.'),
});

const ExtensionList = allUnder('extensions', ExtensionView);

const ExtensionBody = shownUnder('extension', ExtensionView);

class HTTPNotFoundError extends notFound(
  (alias: string) => `Extension with alias ${alias} does not exist`,
) {}

/** Public source: Networking API reference, "Extensions". */
@Controller('v2.0/extensions')
export class ExtensionsController {
  @Get()
  @Authenticated()
  @Operation('List extensions', ExtensionList)
  list(): object {
    return { extensions: EXTENSIONS.map(viewOf) };
  }

  @Get(':alias')
  @Authenticated()
  @Operation('Show an extension', ExtensionBody)
  show(@Param('alias') alias: string): object {
    const extension = EXTENSIONS.find((one) => one.alias === alias);
    if (!extension) throw new HTTPNotFoundError(alias);
    return { extension: viewOf(extension) };
  }
}

function viewOf(extension: Extension): object {
  return { ...extension, links: [] };
}

@Feature({ controllers: [ExtensionsController] })
export class ExtensionsModule {}
