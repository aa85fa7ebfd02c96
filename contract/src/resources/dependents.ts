import { defineRoute } from '../kit/route'
import type { RecordDependents } from '../shapes/dependents'

/** The kinds whose records other records can refer to. */
export const kindsWithDependents = [
  'service_provider',
  'account',
  'application',
  'voip_carrier',
  'speech_credential',
] as const

export type KindWithDependents = (typeof kindsWithDependents)[number]

export const hasDependents = (kind: string): kind is KindWithDependents =>
  kindsWithDependents.some((kindWithDependents) => kindWithDependents === kind)

/** A Trunkline addition: the records that use one record, grouped by kind, without those that the actor cannot list. */
export const recordDependents = defineRoute<{ response: RecordDependents }>()(
  'GET',
  '/Dependents/:kind/:record_sid',
  'List the records that use a service provider, account, application, carrier or speech credential',
)
