export { codecsOf } from './codec.js';
export { each, record } from './record.js';
