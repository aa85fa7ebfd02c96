import type { FastifyInstance } from 'fastify'
import { findServiceKeyError } from '@trunkline/contract/cloud/service-key'
import { messages } from '@trunkline/contract/messages/speech-credential'
import { messages as sessionMessages } from '@trunkline/contract/messages/session'
import { messages as faults } from '../../ports/speech-error-messages'
import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import {
  speechCatalogueOfAccount,
  speechCatalogueOfProvider,
  speechTestOfAccount,
  speechTestOfProvider,
} from '@trunkline/contract/resources/speech-credential'
import { catalogue, catalogueQuery } from '@trunkline/contract/shapes/speech-catalogue'
import { test, type SpeechTest } from '@trunkline/contract/shapes/speech-credential'
import type { Catalogue } from '@trunkline/contract/speech/catalogue'
import { findVendorById } from '@trunkline/contract/speech/vendors'
import type { z } from 'zod'
import { mountRoute } from '../../http/mount-route'
import { forbidden, notFound, unprocessable } from '../../http/problem'
import { findPermitted } from '../../http/resource-routes'
import { SpeechError, type SpeechCredential, type TestResult } from '../../ports/speech'
import type { Services } from '../../services'
import { accountGate, isInProvider, providerGate } from './rules'
import type { DecryptedCredential } from './repository'

/** The tenant whose credentials may be used. */
interface Tenant {
  account_sid: string | null
  service_provider_sid: string
}

const notTested: TestResult = { status: 'not tested' }

/** Whether a test succeeded. Undefined if it did not run. */
const toResult = ({ status }: Pick<TestResult, 'status'>): boolean | undefined =>
  status === 'not tested' ? undefined : status === 'ok'

/** Other programs store key files without checking them. A file that is incomplete cannot be tested. */
const checkKeyFile = ({ vendor, fields }: DecryptedCredential): void => {
  const field = findVendorById(vendor)?.fields.find(({ kind }) => kind === 'service-key')
  if (!field || !fields) return
  const file = fields[field.name]
  if (typeof file !== 'string' || findServiceKeyError(file)) throw unprocessable(faults.badKeyFile, field.name)
}

/** Routes that send requests to vendors: test a credential, list its languages, voices and models. */
export const speechVendorRoutes = (app: FastifyInstance, { speechCredentials, accounts, speech }: Services): void => {
  const testDirections = async ({
    owner,
    vendor,
    fields,
    use_for_tts,
    use_for_stt,
  }: DecryptedCredential): Promise<SpeechTest> => {
    const testDirection = (
      isUsed: number,
      run: (key: SpeechCredential) => Promise<TestResult>,
    ): Promise<TestResult> | TestResult => {
      if (!isUsed) return notTested
      return fields ? run({ owner, vendor, fields }) : { status: 'fail', reason: messages.unreadable }
    }
    const [tts, stt] = await Promise.all([
      testDirection(use_for_tts, (key) => speech.testSynthesis(key)),
      testDirection(use_for_stt, (key) => speech.testRecognition(key)),
    ])
    return { tts, stt }
  }

  /** Tests a credential that the actor may use and stores the result. */
  const testCredential = async (
    actor: Actor,
    sid: string,
    isInScope: (owner: Owner) => boolean,
  ): Promise<SpeechTest> => {
    // Tests cost the owner money, so view-only users may not run them.
    if (actor.viewOnly) throw forbidden(sessionMessages.viewOnly)
    const kind = 'speech_credential'
    const { owner } = await findPermitted(
      { kind, rows: speechCredentials, missing: { list: notFound } },
      'list',
      actor,
      sid,
    )
    const decrypted = isInScope(owner) ? await speechCredentials.decrypt(sid) : undefined
    if (!decrypted) throw notFound()
    checkKeyFile(decrypted)
    const test = await testDirections(decrypted)
    const result = { tts: toResult(test.tts), stt: toResult(test.stt) }
    if (result.tts !== undefined || result.stt !== undefined) await speechCredentials.saveTestResult(decrypted, result)
    return test
  }

  const authorizeAccount = accountGate(accounts)

  mountRoute(app, speechTestOfAccount, { response: test, checkSids: 'after-gate' }, async ({ params, actor }) => {
    const { account_sid, service_provider_sid } = await authorizeAccount(actor, 'list', params.account_sid)
    return testCredential(actor, params.speech_credential_sid, (owner) =>
      owner.account_sid === null ? isInProvider(service_provider_sid)(owner) : owner.account_sid === account_sid,
    )
  })
  mountRoute(app, speechTestOfProvider, { response: test }, ({ params, actor }) => {
    const { service_provider_sid, speech_credential_sid } = params
    providerGate(actor, service_provider_sid)
    return testCredential(actor, speech_credential_sid, isInProvider(service_provider_sid))
  })

  const findKey = async (
    vendor: string,
    label: string | null,
    tenant: Tenant,
  ): Promise<SpeechCredential | undefined> => {
    const sid = await speechCredentials.findByLabel(vendor, label, tenant)
    const decrypted = sid ? await speechCredentials.decrypt(sid) : undefined
    return decrypted?.fields && { owner: decrypted.owner, vendor, fields: decrypted.fields }
  }

  const fetchCatalogue = async (
    { vendor, label, create_new }: z.output<typeof catalogueQuery>,
    tenant: Tenant,
  ): Promise<Catalogue> => {
    try {
      return await speech.catalogue(vendor, create_new ? null : await findKey(vendor, label || null, tenant))
    } catch (error) {
      throw error instanceof SpeechError ? unprocessable(error.message) : error
    }
  }
  const shapes = { query: catalogueQuery, response: catalogue }

  mountRoute(app, speechCatalogueOfAccount, { ...shapes, checkSids: false }, async ({ params, query, actor }) =>
    fetchCatalogue(query, await authorizeAccount(actor, 'list', params.account_sid)),
  )
  mountRoute(app, speechCatalogueOfProvider, shapes, ({ params, query, actor }) => {
    const { service_provider_sid } = params
    providerGate(actor, service_provider_sid)
    return fetchCatalogue(query, {
      service_provider_sid,
      account_sid: actor.scope === 'account' ? actor.account_sid : null,
    })
  })
}
