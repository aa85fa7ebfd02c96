import { bigint, char, sid, table, varchar } from '../columns'

/** The secret that the last start used for each setting, as a slow hash with a salt, so that starts with another one are noticed. */
export const trunklineSecretFingerprints = table('trunkline_secret_fingerprints', {
  setting: varchar(64).primary(),
  salt: char(22),
  hash: char(43),
})

/** Recordings that are being uploaded, or were a short time ago: one upload at a time, through whichever server. */
export const trunklineUploadClaims = table(
  'trunkline_upload_claims',
  {
    account_sid: sid().primary(),
    call_sid: char(64).primary(),
    /** As in the list of recordings. */
    day: char(10).primary(),
    /** The upload that has the claim. */
    upload_sid: sid(),
    /** Milliseconds since 1970. */
    until: bigint(),
  },
  { indexes: { until_idx: ['until'] } },
)
