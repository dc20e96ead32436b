/** The entry of the bundle: the program, and what compiles it. */
import 'reflect-metadata';

export async function start(): Promise<void> {
  await import('../main.js');
}

/** Does what a start does without a database, so that V8 compiles the functions that it calls. */
export async function rehearse(): Promise<void> {
  await Promise.all([import('../standalone.js'), import('../cloud.js')]);
  const { SERVICES } = await import('../services.js');
  const { describeService } = await import('../generate/services.js');
  for (const service of SERVICES) await describeService(service);
}
