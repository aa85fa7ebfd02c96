import type { FastifyInstance } from 'fastify'
import { serviceKeyFault } from '@trunkline/contract/cloud/service-key'
import { messages } from '@trunkline/contract/messages/speech-credential'
import { messages as sessionMessages } from '@trunkline/contract/messages/session'
import { messages as faults } from '../../ports/speech-messages'
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
import { vendorOf } from '@trunkline/contract/speech/vendors'
import type { z } from 'zod'
import { mountRoute } from '../../http/mount-route'
import { forbidden, notFound, unprocessable } from '../../http/problem'
import { findPermitted } from '../../http/serve'
import { SpeechFault, type SpeechKey, type Trial } from '../../ports/speech'
import type { Services } from '../../services'
import { accountGate, inProvider, providerGate } from './rules'
import type { OpenedCredential } from './repository'

/** Whose credentials count. */
interface Tenant {
  account_sid: string | null
  service_provider_sid: string
}

const untested: Trial = { status: 'not tested' }

/** Tried, and how it went; undefined for a direction that was not. */
const outcome = ({ status }: Pick<Trial, 'status'>): boolean | undefined =>
  status === 'not tested' ? undefined : status === 'ok'

/** Other programs store key files without looking into them. One without its halves is nothing to be tried with. */
const checkKeyFile = ({ vendor, fields }: OpenedCredential): void => {
  const field = vendorOf(vendor)?.fields.find(({ kind }) => kind === 'service-key')
  if (!field || !fields) return
  const file = fields[field.name]
  if (typeof file !== 'string' || serviceKeyFault(file)) throw unprocessable(faults.badKeyFile, field.name)
}

/** What is asked of the vendors themselves: is a credential good, and what does it offer? */
export const vendorCalls = (app: FastifyInstance, { speechCredentials, accounts, speech }: Services): void => {
  const tried = async ({ owner, vendor, fields, use_for_tts, use_for_stt }: OpenedCredential): Promise<SpeechTest> => {
    const attempt = (used: number, tries: (key: SpeechKey) => Promise<Trial>): Promise<Trial> | Trial => {
      if (!used) return untested
      return fields ? tries({ owner, vendor, parts: fields }) : { status: 'fail', reason: messages.unreadable }
    }
    const [tts, stt] = await Promise.all([
      attempt(use_for_tts, (key) => speech.trySynthesis(key)),
      attempt(use_for_stt, (key) => speech.tryRecognition(key)),
    ])
    return { tts, stt }
  }

  /** Tries a credential for who may use it, and keeps what came of it. */
  const testOf = async (actor: Actor, sid: string, below: (owner: Owner) => boolean): Promise<SpeechTest> => {
    // The vendor charges the owner for it.
    if (actor.viewOnly) throw forbidden(sessionMessages.viewOnly)
    const kind = 'speech_credential'
    const { owner } = await findPermitted(
      { kind, rows: speechCredentials, missing: { list: notFound } },
      'list',
      actor,
      sid,
    )
    const opened = below(owner) ? await speechCredentials.open(sid) : undefined
    if (!opened) throw notFound()
    checkKeyFile(opened)
    const found = await tried(opened)
    const result = { tts: outcome(found.tts), stt: outcome(found.stt) }
    if (result.tts !== undefined || result.stt !== undefined) await speechCredentials.tested(opened, result)
    return found
  }

  const account = accountGate(accounts)

  mountRoute(app, speechTestOfAccount, { answer: test, checkSids: 'after-gate' }, async ({ params, actor }) => {
    const { account_sid, service_provider_sid } = await account(actor, 'list', params.account_sid)
    return testOf(actor, params.speech_credential_sid, (owner) =>
      owner.account_sid === null ? inProvider(service_provider_sid)(owner) : owner.account_sid === account_sid,
    )
  })
  mountRoute(app, speechTestOfProvider, { answer: test }, ({ params, actor }) => {
    const { service_provider_sid, speech_credential_sid } = params
    providerGate(actor, service_provider_sid)
    return testOf(actor, speech_credential_sid, inProvider(service_provider_sid))
  })

  const keyOf = async (vendor: string, label: string | null, tenant: Tenant): Promise<SpeechKey | undefined> => {
    const sid = await speechCredentials.ofLabel(vendor, label, tenant)
    const opened = sid ? await speechCredentials.open(sid) : undefined
    return opened?.fields && { owner: opened.owner, vendor, parts: opened.fields }
  }

  const listsOf = async (
    { vendor, label, create_new }: z.output<typeof catalogueQuery>,
    tenant: Tenant,
  ): Promise<Catalogue> => {
    try {
      return await speech.catalogue(vendor, create_new ? null : await keyOf(vendor, label || null, tenant))
    } catch (error) {
      throw error instanceof SpeechFault ? unprocessable(error.message) : error
    }
  }
  const shapes = { query: catalogueQuery, answer: catalogue }

  mountRoute(app, speechCatalogueOfAccount, { ...shapes, checkSids: false }, async ({ params, query, actor }) =>
    listsOf(query, await account(actor, 'list', params.account_sid)),
  )
  mountRoute(app, speechCatalogueOfProvider, shapes, ({ params, query, actor }) => {
    const { service_provider_sid } = params
    providerGate(actor, service_provider_sid)
    return listsOf(query, {
      service_provider_sid,
      account_sid: actor.scope === 'account' ? actor.account_sid : null,
    })
  })
}
