import { bigint, char, sid, table, varchar } from '../columns'
import type { MigrationContext } from '../migration-context'

/** A salted slow hash of each secret at the previous start, to detect a start with another secret. */
export const trunklineSecretFingerprints = table('trunkline_secret_fingerprints', {
  setting: varchar(64).primary(),
  salt: char(22),
  hash: char(43),
})

/** Recordings that are being or have just been uploaded: one upload at a time, across all servers. */
export const trunklineUploadClaims = table(
  'trunkline_upload_claims',
  {
    account_sid: sid().primary(),
    call_sid: char(64).primary(),
    /** As in `trunkline_recordings`. */
    day: char(10).primary(),
    /** The upload that holds the claim. */
    upload_sid: sid(),
    /** Milliseconds since 1970. */
    until: bigint(),
  },
  { indexes: { until_idx: ['until'] } },
)

export const createdTables = [trunklineSecretFingerprints, trunklineUploadClaims]

export const up = ({ createTables }: MigrationContext): Promise<void> => createTables(createdTables)
