import type { FastifyInstance } from 'fastify'
import type * as z from 'zod'
import { findServiceKeyError } from '@trunkline/contract/cloud/service-key'
import { messages } from '@trunkline/contract/messages/speech-credential'
import { messages as sessionMessages } from '@trunkline/contract/messages/session'
import type { Actor } from '@trunkline/contract/policy/actor'
import {
  speechCatalogueOfAccount,
  speechCatalogueOfProvider,
  speechTestOfAccount,
  speechTestOfProvider,
} from '@trunkline/contract/resources/speech-credential'
import { catalogueSchema, catalogueQuerySchema } from '@trunkline/contract/shapes/speech-catalogue'
import { speechTestSchema, type SpeechTest } from '@trunkline/contract/shapes/speech-credential'
import type { Catalogue } from '@trunkline/contract/speech/catalogue'
import { findVendorById } from '@trunkline/contract/speech/vendors'
import { mountRoute } from '../../http/mount-route'
import { forbidden, notFound, unprocessable } from '../../http/problem'
import { findPermitted } from '../../http/resource-routes'
import { SpeechError, type SpeechCredential, type TestResult } from '../../ports/speech'
import { messages as speechErrorMessages } from '../../ports/speech-error-messages'
import type { Services } from '../../composition/services'
import { createAccountAuthorizer, authorizeProvider, isInProvider, isUsableByAccount, type OwnerFilter } from './rules'
import type { DecryptedCredential } from './repository'

/** The tenant whose credentials may be used. */
interface Tenant {
  account_sid: string | null
  service_provider_sid: string
}

const notTested: TestResult = { status: 'not tested' }

/** Whether a test succeeded. Undefined if it did not run. */
const hasSucceeded = ({ status }: Pick<TestResult, 'status'>): boolean | undefined =>
  status === 'not tested' ? undefined : status === 'ok'

/** Throws 422 for an incomplete key file, which cannot be tested. Other programs store key files without checking them. */
const checkKeyFile = ({ vendor, fields }: DecryptedCredential): void => {
  const field = findVendorById(vendor)?.fields.find(({ kind }) => kind === 'service-key')
  if (!field || !fields) return
  const keyFile = fields[field.name]
  if (typeof keyFile !== 'string' || findServiceKeyError(keyFile))
    throw unprocessable(speechErrorMessages.badKeyFile, field.name)
}

type VendorServices = Pick<Services, 'speechCredentials' | 'accounts' | 'speech'>

/** Routes that send requests to vendors: tests of credentials, and catalogues of languages, voices and models. */
export const speechVendorRoutes = (app: FastifyInstance, services: VendorServices): void => {
  speechTestRoutes(app, services)
  speechCatalogueRoutes(app, services)
}

const speechTestRoutes = (app: FastifyInstance, { speechCredentials, accounts, speech }: VendorServices): void => {
  const testDirections = async ({
    owner,
    vendor,
    fields,
    use_for_tts,
    use_for_stt,
  }: DecryptedCredential): Promise<SpeechTest> => {
    const testDirection = (
      isEnabled: number,
      test: (credential: SpeechCredential) => Promise<TestResult>,
    ): Promise<TestResult> | TestResult => {
      if (!isEnabled) return notTested
      return fields ? test({ ownerSid: owner, vendor, fields }) : { status: 'fail', reason: messages.unreadable }
    }
    const [tts, stt] = await Promise.all([
      testDirection(use_for_tts, (credential) => speech.testSynthesis(credential)),
      testDirection(use_for_stt, (credential) => speech.testRecognition(credential)),
    ])
    return { tts, stt }
  }

  /** Tests a credential that the actor may use and stores the result. */
  const testCredential = async (actor: Actor, sid: string, isInTenant: OwnerFilter): Promise<SpeechTest> => {
    // Tests cost the owner money, so view-only users may not run them.
    if (actor.viewOnly) throw forbidden(sessionMessages.viewOnly)
    const source = { kind: 'speech_credential', repository: speechCredentials, missing: { list: notFound } } as const
    const { owner } = await findPermitted(source, 'list', actor, sid)
    const decrypted = isInTenant(owner) ? await speechCredentials.decrypt(sid) : undefined
    if (!decrypted) throw notFound()
    checkKeyFile(decrypted)
    const results = await testDirections(decrypted)
    const successByDirection = { tts: hasSucceeded(results.tts), stt: hasSucceeded(results.stt) }
    if (successByDirection.tts !== undefined || successByDirection.stt !== undefined)
      await speechCredentials.saveTestResult(decrypted, successByDirection)
    return results
  }

  const authorizeAccount = createAccountAuthorizer(accounts)

  mountRoute(
    app,
    speechTestOfAccount,
    { response: speechTestSchema, requiresWellFormedSids: 'except-first' },
    async ({ params, actor }) => {
      const owner = await authorizeAccount(actor, 'list', params.account_sid)
      return testCredential(actor, params.speech_credential_sid, isUsableByAccount(owner))
    },
  )
  mountRoute(app, speechTestOfProvider, { response: speechTestSchema }, ({ params, actor }) => {
    const { service_provider_sid, speech_credential_sid } = params
    authorizeProvider(actor, service_provider_sid)
    return testCredential(actor, speech_credential_sid, isInProvider(service_provider_sid))
  })
}

const speechCatalogueRoutes = (app: FastifyInstance, { speechCredentials, accounts, speech }: VendorServices): void => {
  const findCredential = async (
    vendor: string,
    label: string | null,
    tenant: Tenant,
  ): Promise<SpeechCredential | undefined> => {
    const sid = await speechCredentials.findByLabel(vendor, label, tenant)
    const decrypted = sid ? await speechCredentials.decrypt(sid) : undefined
    return decrypted?.fields && { ownerSid: decrypted.owner, vendor, fields: decrypted.fields }
  }

  const fetchCatalogue = async (
    { vendor, label, create_new }: z.output<typeof catalogueQuerySchema>,
    tenant: Tenant,
  ): Promise<Catalogue> => {
    try {
      return await speech.fetchCatalogue(
        vendor,
        create_new ? null : await findCredential(vendor, label || null, tenant),
      )
    } catch (error) {
      throw error instanceof SpeechError ? unprocessable(error.message) : error
    }
  }

  const schemas = { query: catalogueQuerySchema, response: catalogueSchema }
  const authorizeAccount = createAccountAuthorizer(accounts)

  mountRoute(
    app,
    speechCatalogueOfAccount,
    { ...schemas, requiresWellFormedSids: false },
    async ({ params, query, actor }) =>
      fetchCatalogue(query, await authorizeAccount(actor, 'list', params.account_sid)),
  )
  mountRoute(app, speechCatalogueOfProvider, schemas, ({ params, query, actor }) => {
    const { service_provider_sid } = params
    authorizeProvider(actor, service_provider_sid)
    return fetchCatalogue(query, {
      service_provider_sid,
      account_sid: actor.scope === 'account' ? actor.account_sid : null,
    })
  })
}
