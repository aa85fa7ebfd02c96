export { checkCarriers, lcrFor } from './rules'
