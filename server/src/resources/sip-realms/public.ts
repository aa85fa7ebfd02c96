export { createDnsRemovals, scheduleAccountRecords } from './removals'
export { isReservedSubdomain } from './rules'
