import { UploadInProgressError, type RecordingStore } from '../../ports/recording-store'
import type { UploadClaims } from './sql-upload-claims'

/**
 * Claims each upload in the database, so that only one of several servers with separate files accepts it. A claim expires by
 * itself, so a failed release is logged only.
 */
export const exclusiveUploads = (
  store: RecordingStore,
  claims: UploadClaims,
  logError: (message: string) => void,
): RecordingStore => {
  const logFailure = (work: Promise<void>) =>
    work.catch((error: unknown) => logError(`An upload claim could not be released: ${(error as Error).message}`))

  return {
    ...store,

    async start(account_sid, name, metadata, liveAudio) {
      if (liveAudio) return store.start(account_sid, name, metadata, liveAudio)
      const claim = await claims.claim({ account_sid, name })
      if (!claim) throw new UploadInProgressError()
      try {
        const incoming = await store.start(account_sid, name, metadata)
        return {
          write: (bytes) => incoming.write(bytes),
          async end() {
            await incoming.end()
            await logFailure(claim.complete())
          },
          // Also runs after a failed end.
          discard: () => incoming.discard().finally(() => logFailure(claim.release())),
        }
      } catch (error) {
        await logFailure(claim.release())
        throw error
      }
    },

    async remove(account_sid, name) {
      const wasRemoved = await store.remove(account_sid, name)
      if (wasRemoved) await logFailure(claims.remove({ account_sid, name }))
      return wasRemoved
    },

    async removeAccount(account_sid) {
      await store.removeAccount(account_sid)
      await claims.removeAccount(account_sid)
    },

    async prune() {
      await store.prune()
      await claims.prune()
    },
  }
}
