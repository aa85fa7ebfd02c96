export { sessionLink } from './repository'
