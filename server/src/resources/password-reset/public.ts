export { inSession } from './repository'
