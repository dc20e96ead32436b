/** A service of widgets, with routes that take bodies in each way. */
import { Body, Controller, Get, Injectable, Post } from '@nestjs/common';
import { Public } from '../auth/access.js';
import { TakesBody } from '../http/body-limits.js';
import { StringField } from '../http/fields.js';
import { Operation } from '../http/operation.js';
import { Shown } from '../http/shown.js';
import { WidgetReconciler } from '../reconcile/widget-reconciler.fixture.js';
import { CreateWidgets1, Widget } from '../states/widget.fixture.js';
import { Reconciles } from '../service/background.js';
import { defineService } from './define-service.js';
import { Feature } from '../service/feature.js';
import { serviceSettings } from '../service/service-settings.js';
import { TOKEN_AUTHORITY } from '../service/tokens.js';

class Text {
  @StringField({ max: 2_000_000 })
  text: string;
}

class Length {
  @Shown(Number, 'Characters of the text that came.')
  length: number;
}

@Controller('v1')
class TextsController {
  @Post('texts')
  @Public()
  @Operation('Measure a text', Length, { status: 200 })
  measure(@Body() { text }: Text): Length {
    return { length: text.length };
  }

  @Post('long-texts')
  @Public()
  @TakesBody({ bytes: 2_000_000 })
  @Operation('Measure a long text', Length, { status: 200 })
  measureLong(@Body() { text }: Text): Length {
    return { length: text.length };
  }

  @Get('texts')
  @Public()
  @Operation('Show no text', Length)
  show(): Length {
    return { length: 0 };
  }
}

/** Its work goes on until the worker is told to stop. */
@Reconciles()
@Injectable()
class EndlessReconciler extends WidgetReconciler {
  override cut: WidgetReconciler['cut'] = ({ signal }) =>
    new Promise<void>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
}

@Feature({
  controllers: [TextsController],
  providers: [
    EndlessReconciler,
    {
      provide: TOKEN_AUTHORITY,
      useValue: { keys: () => ({ keys: [] }), revocations: () => [] },
    },
  ],
  entities: [Widget],
})
class WidgetsModule {}

export const widgetsService = defineService({
  name: 'widgets',
  title: 'Widgets',
  serviceType: 'widget',
  path: '/widget',
  settings: serviceSettings('WIDGETS', 8998),
  features: [WidgetsModule],
  migrations: [CreateWidgets1],
});
