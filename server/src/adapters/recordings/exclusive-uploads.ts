import { UploadInProgressError, type RecordingStore } from '../../ports/recording-store'
import type { UploadClaims } from './sql-upload-claims'

/**
 * Adds upload claims to a store: each upload is claimed in the database, so that only one of several servers with separate files
 * accepts it. A claim expires by itself, so a failure to change it is only logged.
 */
export const withUploadClaims = (
  store: RecordingStore,
  claims: UploadClaims,
  logError: (message: string) => void,
): RecordingStore => {
  const logClaimFailure = (claimUpdate: Promise<void>) =>
    claimUpdate.catch((error: unknown) =>
      logError(
        `The lock on a recording upload could not be updated. It expires by itself. ${(error as Error).message}`,
      ),
    )

  return {
    ...store,

    async startRecording(account_sid, name, metadata, liveAudioFormat) {
      if (liveAudioFormat) return store.startRecording(account_sid, name, metadata, liveAudioFormat)
      const claim = await claims.claim({ account_sid, name })
      if (!claim) throw new UploadInProgressError()
      try {
        const incoming = await store.startRecording(account_sid, name, metadata)
        return {
          write: (bytes) => incoming.write(bytes),
          async end() {
            await incoming.end()
            await logClaimFailure(claim.complete())
          },
          // Callers also discard a recording after `end` has failed.
          discard: () => incoming.discard().finally(() => logClaimFailure(claim.release())),
        }
      } catch (error) {
        await logClaimFailure(claim.release())
        throw error
      }
    },

    async removeRecording(account_sid, name) {
      const wasRemoved = await store.removeRecording(account_sid, name)
      if (wasRemoved) await logClaimFailure(claims.remove({ account_sid, name }))
      return wasRemoved
    },

    async removeByAccount(account_sid) {
      await store.removeByAccount(account_sid)
      await claims.removeByAccount(account_sid)
    },

    async retryAndPrune(signal) {
      await store.retryAndPrune(signal)
      await claims.prune()
    },
  }
}
