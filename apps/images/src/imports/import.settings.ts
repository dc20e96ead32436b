/** The settings of imports and of the tasks that record them. */
import { boolean, choice, folder, integer, integers, text } from '@cumulet/common/config/settings';

export const CONVERSION_TARGETS = ['none', 'raw', 'qcow2'] as const;

export const importSettings = {
  importConcurrency: integer('IMAGES_IMPORT_CONCURRENCY', {
    about: 'Imports of staged data that one worker process works on at the same time.',
    default: 4,
    min: 1,
    max: 64,
  }),
  importsPerProject: integer('IMAGES_IMPORTS_PER_PROJECT', {
    about:
      'Imports of one project that are worked on at the same time, by all processes together; the others wait.',
    default: 2,
    min: 1,
    max: 1_000,
  }),
  importConvertTo: choice('IMAGES_IMPORT_CONVERT_TO', CONVERSION_TARGETS, {
    about: 'Format that raw and qcow2 images are converted to when they are imported.',
    default: 'none',
  }),
  importFolder: folder('IMAGES_IMPORT_FOLDER', {
    about: 'Folder for the files of a conversion while it lasts; each process has its own files.',
    default: '/var/tmp/cumulet-imports',
    folder: 'imports',
  }),
  convertSeconds: integer('IMAGES_IMPORT_CONVERT_SECONDS', {
    about: 'Seconds that the conversion of an image may take.',
    default: 1_800,
    min: 1,
    max: 86_400,
  }),
  searchPath: text('PATH', {
    about: 'Folders that qemu-img and prlimit are looked for in.',
    default: '/usr/bin',
  }),
  webDownload: boolean('IMAGES_WEB_DOWNLOAD', {
    about: 'Whether images can be imported from addresses on the web.',
    default: true,
  }),
  webDownloadConcurrency: integer('IMAGES_WEB_DOWNLOAD_CONCURRENCY', {
    about: 'Imports from the web that one worker process works on at the same time.',
    default: 4,
    min: 1,
    max: 64,
  }),
  webDownloadLeastSpeed: integer('IMAGES_WEB_DOWNLOAD_LEAST_SPEED', {
    about:
      'Bytes per second, on average over a minute, below which a web-download is broken off; 0 is without limit.',
    default: 1_024,
    min: 0,
    max: 1_000_000_000,
  }),
  webDownloadPorts: integers('IMAGES_WEB_DOWNLOAD_PORTS', {
    about: 'Ports that images may be imported from.',
    default: [80, 443],
    min: 1,
    max: 65_535,
  }),
  webDownloadAllowPrivate: boolean('IMAGES_WEB_DOWNLOAD_ALLOW_PRIVATE', {
    about:
      'Whether images may be imported from private and local addresses too: then its users reach whatever this service does.',
    default: false,
  }),
  taskLifetimeHours: integer('IMAGES_TASK_LIFETIME_HOURS', {
    about: 'Hours after which a task that has ended is forgotten.',
    default: 48,
    min: 1,
    max: 87_600,
  }),
};
