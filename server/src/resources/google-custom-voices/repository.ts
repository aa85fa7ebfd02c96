import type { GoogleCustomVoice } from '@trunkline/contract/shapes/google-custom-voice'
import { ownershipByKind } from '../../db/tenancy'
import { createRepository, type Store } from '../../db/repository'
import type { Row } from '../../db/repository-options'

/** Leaves out the cloning key if there is none. */
const omitEmptyCloningKey = ({ voice_cloning_key, ...row }: Row): Row =>
  voice_cloning_key === null ? row : { ...row, voice_cloning_key }

export const createGoogleCustomVoiceRepository = (store: Store) =>
  createRepository<GoogleCustomVoice>(store, {
    ownership: ownershipByKind.google_custom_voice,
    sortableColumns: ['name'],
    toContractRows: (rows) => Promise.resolve(rows.map(omitEmptyCloningKey)),
  })
