export { checkCarriers, findPermittedLcr } from './rules'
