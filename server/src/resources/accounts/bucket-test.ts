import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { getBucketForm } from '@trunkline/contract/calls/bucket'
import { toProblem } from '@trunkline/contract/kit/problem'
import { messages } from '@trunkline/contract/messages/bucket'
import type { Actor } from '@trunkline/contract/policy/actor'
import { bucketCredentialTest } from '@trunkline/contract/resources/account'
import { bucketCredential, bucketTest, type BucketTest } from '@trunkline/contract/shapes/bucket'
import { mountRoute } from '../../http/mount-route'
import { Problem } from '../../http/problem'
import { findPermitted } from '../../http/resource-routes'
import { testStorage, StorageError } from '../../ports/object-storage'
import type { Services } from '../../services'

/** Timeout for all requests of one test. */
const timeoutMs = 15_000

const failedTest = (reason: string): BucketTest => ({ status: 'failed', reason })

/** The reason to return for a failed test. Rethrows errors that are not the storage's. */
const reasonOf = (error: unknown): string => {
  if (error instanceof StorageError || error instanceof Problem) return error.message
  throw error
}

/** Tests a bucket. Responds with 200 even if the credential does not work: the reason is in the body. */
export const bucketTestRoute = (app: FastifyInstance, services: Services): void => {
  const { accounts, bucketCredentials, openStorage } = services

  const testBucket = async (account_sid: string, body: unknown, actor: Actor) => {
    const { success, data, error } = bucketCredential.safeParse(body)
    if (!success) throw new StorageError(toProblem(error).msg)
    const vendor = data.vendor ?? ''
    if (!getBucketForm({ vendor })) throw new StorageError(messages.testUnsupported(vendor))
    const credential = await bucketCredentials.resolveForTest(account_sid, { ...data, vendor }, actor)
    const storage = await openStorage(credential, account_sid)
    try {
      await testStorage(storage, AbortSignal.timeout(timeoutMs))
    } finally {
      storage.close()
    }
  }

  mountRoute(
    app,
    bucketCredentialTest,
    { body: z.looseObject({}), response: bucketTest },
    async ({ params, body, actor }) => {
      const { account_sid } = params
      await findPermitted({ kind: 'account', rows: accounts }, 'update', actor, account_sid)
      try {
        await testBucket(account_sid, body, actor)
        return { status: 'ok' as const }
      } catch (error) {
        return failedTest(reasonOf(error))
      }
    },
  )
}
