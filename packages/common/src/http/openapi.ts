import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { withPathParameters } from './path-parameters.js';

/** The service's OpenAPI document; a token goes into `X-Auth-Token`. */
export function openApiDocument(app: NestFastifyApplication, title: string): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle(title)
    .setVersion('0.1.0')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-Auth-Token' }, 'token')
    .addSecurityRequirements('token')
    .build();
  return withPathParameters(SwaggerModule.createDocument(app, config));
}

/** Swagger UI at `/docs`, the document at `/docs-json`; made when it is first asked for. */
export async function serveOpenApi(app: NestFastifyApplication, title: string): Promise<void> {
  SwaggerModule.setup('docs', app, () => openApiDocument(app, title));
  return Promise.resolve();
}
