import { sql } from 'kysely'
import type { GoogleCustomVoice } from '@trunkline/contract/shapes/google-custom-voice'
import { ownerChains } from '../../db/tenancy'
import { repository, type Store } from '../../db/repository'
import type { Row } from '../../db/repository-options'

/** Leaves out the cloning key if there is none. */
const presentVoice = ({ voice_cloning_key, ...row }: Row): Row =>
  voice_cloning_key === null ? row : { ...row, voice_cloning_key }

export const googleCustomVoices = (store: Store) =>
  repository<GoogleCustomVoice>(store, {
    chain: ownerChains.google_custom_voice,
    sortableColumns: ['name'],
    present: (rows) => Promise.resolve(rows.map(presentVoice)),
  })

export const belongsToCredential = (speech_credential_sid: string) =>
  sql`t.speech_credential_sid = ${speech_credential_sid}`
