import { Controller, Get, Param } from '@nestjs/common';
import { Allow } from '@cumulet/common/auth/access';
import { notFound } from '@cumulet/common/errors/domain-error';
import { Operation } from '@cumulet/common/http/operation';
import { allUnder, shownUnder } from '@cumulet/common/http/answers';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';
import { EXTENSIONS } from './extensions.js';

export const Extension = answerClass('Extension', {
  alias: Shown(String, 'The name that clients look for.'),
  name: Shown(String, 'Its name.'),
  description: Shown(String, 'The description of the extension.'),
  updated: Shown('date-time', 'When Nova last changed an extension.'),
  namespace: Shown(String, 'A namespace that remains of the XML format.'),
  links: Shown([Object], 'None.', { schema: { maxItems: 0 } }),
});

const ExtensionList = allUnder('extensions', Extension);

export class ExtensionNotFoundError extends notFound(
  (alias: string) => `No extension ${alias.slice(0, 255)} exists.`,
) {}

/** For clients older than microversions. Public source: Nova API reference, "Extensions". */
@Controller('extensions')
export class ExtensionsController {
  @Get()
  @Allow('reader')
  @Operation('List extensions', ExtensionList)
  list(): object {
    return { extensions: Object.keys(EXTENSIONS).map(extensionView) };
  }

  @Get(':alias')
  @Allow('reader')
  @Operation('Show an extension', shownUnder('extension', Extension))
  show(@Param('alias') alias: string): object {
    if (!Object.hasOwn(EXTENSIONS, alias)) throw new ExtensionNotFoundError(alias);
    return { extension: extensionView(alias) };
  }
}

function extensionView(alias: string): object {
  const name = EXTENSIONS[alias] ?? alias;
  return {
    alias,
    name,
    description: `${name} is a part of the API.`,
    updated: '2014-12-03T00:00:00Z',
    namespace: 'http://docs.openstack.org/compute/ext/fake_xml',
    links: [],
  };
}

@Feature({ controllers: [ExtensionsController] })
export class ExtensionsModule {}
