import { register } from 'node:module';

register('./typescript-loader.js', import.meta.url);
