export { buildSessionLink } from './repository'
