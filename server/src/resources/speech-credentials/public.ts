export { isUsableByAccount, type OwnerFilter } from './rules'
