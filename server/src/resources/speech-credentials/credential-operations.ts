import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type * as z from 'zod'
import { messages } from '@trunkline/contract/messages/speech-credential'
import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import type { speechCredentialDraftSchema } from '@trunkline/contract/shapes/speech-credential'
import { findVendorById } from '@trunkline/contract/speech/vendors'
import type { Services } from '../../composition/services'
import type { Row } from '../../db/repository-options'
import { withTransaction } from '../../db/transaction'
import { notFound, unprocessable } from '../../http/problem'
import { findPermitted, requirePermission } from '../../http/resource-routes'
import { untestedColumns } from './repository'
import { checkIdentifyingFields, encryptChanges, encryptDraft, findVendor, type OwnerFilter } from './rules'

/** The operations on speech credentials that the routes of accounts and of providers share. */
export const createCredentialOperations = ({
  store,
  speechCredentials,
  encryption,
}: Pick<Services, 'store' | 'speechCredentials' | 'encryption'>) => {
  /** Finds a credential that the actor may act on. Throws 404 unless `isInTenant` accepts its owner. */
  const findCredential = async (
    action: 'read' | 'update' | 'remove',
    actor: Actor,
    sid: string,
    isInTenant: OwnerFilter,
  ) => {
    const source = {
      kind: 'speech_credential',
      repository: speechCredentials,
      missing: { read: notFound, update: notFound },
    } as const
    const credential = await findPermitted(source, action, actor, sid)
    if (!isInTenant(credential.owner)) throw notFound()
    return credential
  }

  return {
    read: (actor: Actor, sid: string, isInTenant: OwnerFilter) => findCredential('read', actor, sid, isInTenant),

    async create(
      draft: z.output<typeof speechCredentialDraftSchema>,
      owner: Owner,
      actor: Actor,
    ): Promise<{ sid: string }> {
      requirePermission('speech_credential', 'create', actor, owner)
      const vendor = findVendor(draft.vendor)
      const credential = encryptDraft(encryption, vendor, draft, actor)
      const { label, use_for_tts, use_for_stt } = draft
      const values = { vendor: draft.vendor, label: label || null, ...owner }
      const flags = { use_for_tts: Number(use_for_tts ?? 1), use_for_stt: Number(use_for_stt ?? 1) }
      const speech_credential_sid = randomUUID()
      await withTransaction(store.database.db, async (tx) => {
        // The table has no unique key. The provider is locked while labels are compared and the row is written.
        const { service_provider_sid } = owner
        await sql`update service_providers set name = name where service_provider_sid = ${service_provider_sid}`.execute(
          tx,
        )
        if (values.label !== null && (await speechCredentials.isDuplicateLabel(values, tx)))
          throw unprocessable(messages.duplicateLabel(values.label), 'label')
        await speechCredentials.insert({ speech_credential_sid, credential, ...values, ...flags }, tx)
      })
      return { sid: speech_credential_sid }
    },

    async update(actor: Actor, sid: string, isInTenant: OwnerFilter, body: Row): Promise<void> {
      const current = await findCredential('update', actor, sid, isInTenant)
      const { use_for_tts, use_for_stt } = body
      checkIdentifyingFields(current, body)
      if (use_for_tts === undefined && use_for_stt === undefined) throw unprocessable(messages.onlyFlagsMutable)
      const decrypted = await speechCredentials.decrypt(sid)
      if (!decrypted) throw notFound()
      const credential = encryptChanges(encryption, findVendorById(decrypted.vendor), decrypted, body)
      // The results of earlier tests do not apply to a changed credential.
      const testColumns = credential === undefined ? {} : untestedColumns
      await speechCredentials.update(sid, { use_for_tts, use_for_stt, credential, ...testColumns })
    },

    async remove(actor: Actor, sid: string, isInTenant: OwnerFilter): Promise<void> {
      await findCredential('remove', actor, sid, isInTenant)
      await speechCredentials.remove(sid)
    },
  }
}

export type CredentialOperations = ReturnType<typeof createCredentialOperations>
