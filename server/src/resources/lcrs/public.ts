export { checkCarriers, findLcr } from './rules'
