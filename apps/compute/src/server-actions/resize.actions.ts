import { EnumField, ObjectField, StringField } from '@cumulet/common/http/fields';
import type { DiskConfig } from '../servers/server.entity.js';
import { bareBody, defineAction } from './server-action.js';
import { ResizeService } from './resize/resize.service.js';

export class ResizeDto {
  @StringField({ description: 'Id of a flavor, or its address.' })
  flavorRef: string;

  @EnumField(['AUTO', 'MANUAL'], { optional: true })
  'OS-DCF:diskConfig'?: DiskConfig;
}

export class ResizeBody {
  @ObjectField(() => ResizeDto)
  resize: ResizeDto;
}

/** Nova API reference, "Resize Server (resize Action)". */
export const resizeAction = defineAction<ResizeBody>({
  name: 'resize',
  body: ResizeBody,
  events: ['resize'],
  async run(ctx, server, { resize }, use) {
    await use(ResizeService).resize(ctx, server, resize.flavorRef, resize['OS-DCF:diskConfig']);
    return undefined;
  },
});

/** Nova API reference, "Confirm Resized Server (confirmResize Action)": 204, unlike others. */
export const confirmResizeAction = defineAction({
  name: 'confirmResize',
  body: bareBody('confirmResize'),
  events: ['confirm-resize'],
  status: 204,
});

/** Nova API reference, "Revert Resized Server (revertResize Action)". */
export const revertResizeAction = defineAction({
  name: 'revertResize',
  body: bareBody('revertResize'),
  events: ['revert-resize'],
});
