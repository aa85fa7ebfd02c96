import type { Connection, Row } from '../db/repository-options'
import { changedMeanwhile, unknownReference } from './refusals'

/** Locks an application; false if it does not belong to the account. */
export interface ApplicationLocks {
  lockInAccount: (application_sid: string, account_sid: string | null, tx: Connection) => Promise<boolean>
}

/** The application of a record, and the account of the record. */
export interface ApplicationUse {
  application_sid?: string | null
  account_sid?: string | null
}

/**
 * Locks the applications of records until the transaction ends, so that none moves to another account while the records are
 * written. Throws 400 if an application no longer belongs to the account of its record.
 */
export const lockApplications = async (
  applications: ApplicationLocks,
  uses: readonly ApplicationUse[],
  tx: Connection,
  field = 'application_sid',
): Promise<void> => {
  const accountByApplication = new Map(
    uses.flatMap(({ application_sid, account_sid = null }) =>
      application_sid ? [[application_sid, account_sid] as const] : [],
    ),
  )
  // Always in the same order, so that parallel requests do not wait for each other.
  for (const [application_sid, account_sid] of [...accountByApplication].toSorted())
    if (!(await applications.lockInAccount(application_sid, account_sid, tx))) throw unknownReference(field)
}

interface UseLocks {
  lockUnchanged: (sid: string, values: Row, tx: Connection) => Promise<boolean>
}

/** The columns of a record that must not have changed since `current` was read, if `values` are written. */
export const getCheckedUse = ({ application_sid, account_sid }: ApplicationUse, values: Row): Row => ({
  account_sid: account_sid ?? null,
  ...('application_sid' in values ? {} : { application_sid: application_sid ?? null }),
})

/**
 * Locks the application of a changed record, and the record itself until the transaction ends. Throws 409 if a parallel
 * request has moved the record to another account, or has given it an application that is kept.
 */
export const lockApplicationUse = async (
  { applications, records }: { applications: ApplicationLocks; records: UseLocks },
  { sid, current, values }: { sid: string; current: ApplicationUse; values: Row },
  tx: Connection,
): Promise<void> => {
  await lockApplications(applications, [{ ...current, ...values }], tx)
  if (!(await records.lockUnchanged(sid, getCheckedUse(current, values), tx))) throw changedMeanwhile()
}
