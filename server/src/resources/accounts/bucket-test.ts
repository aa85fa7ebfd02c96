import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { getBucketFields } from '@trunkline/contract/calls/bucket'
import { toProblem } from '@trunkline/contract/kit/problem'
import { messages } from '@trunkline/contract/messages/bucket'
import type { Actor } from '@trunkline/contract/policy/actor'
import { bucketCredentialTest } from '@trunkline/contract/resources/account'
import { bucketCredentialSchema, bucketTestSchema } from '@trunkline/contract/shapes/bucket'
import { mountRoute } from '../../http/mount-route'
import { Problem } from '../../http/problem'
import { findPermitted } from '../../http/resource-routes'
import { testStorage, StorageError } from '../../ports/object-storage'
import type { Services } from '../../composition/services'

/** For the whole test, which sends several requests. */
const testTimeoutMs = 15_000

/** The reason for a failed test. Rethrows unexpected errors. */
const getFailureReason = (error: unknown): string => {
  if (error instanceof StorageError || error instanceof Problem) return error.message
  throw error
}

/** Tests a bucket. Responds with 200 even if the credential does not work: the reason is in the body. */
export const bucketTestRoute = (
  app: FastifyInstance,
  services: Pick<Services, 'accounts' | 'bucketCredentials' | 'openStorage'>,
): void => {
  const { accounts, bucketCredentials, openStorage } = services

  const testBucket = async (account_sid: string, body: unknown, actor: Actor) => {
    const { success, data, error } = bucketCredentialSchema.safeParse(body)
    if (!success) throw new StorageError(toProblem(error).msg)
    const vendor = data.vendor ?? ''
    if (!getBucketFields({ vendor })) throw new StorageError(messages.unsupportedVendor(vendor))
    const credential = await bucketCredentials.resolveForTest(account_sid, { ...data, vendor }, actor)
    const storage = await openStorage(credential, account_sid)
    try {
      await testStorage(storage, AbortSignal.timeout(testTimeoutMs))
    } finally {
      storage.close()
    }
  }

  mountRoute(
    app,
    bucketCredentialTest,
    { body: z.looseObject({}), response: bucketTestSchema },
    async ({ params, body, actor }) => {
      const { account_sid } = params
      await findPermitted({ kind: 'account', repository: accounts }, 'update', actor, account_sid)
      try {
        await testBucket(account_sid, body, actor)
        return { status: 'ok' as const }
      } catch (error) {
        return { status: 'failed' as const, reason: getFailureReason(error) }
      }
    },
  )
}
