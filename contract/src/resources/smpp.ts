import { defineResource } from '../kit/resource'
import type { Smpp, SmppDraft } from '../shapes/smpp'

/** The platform's SMPP addresses, which carriers must allow. The API has no read and no update. */
export const smpp = defineResource<Smpp, SmppDraft, never>()({
  kind: 'smpp',
  path: '/Smpps',
  key: 'smpp_address_sid',
  noun: { singular: 'SMPP address', plural: 'SMPP addresses' },
  title: (row) => row.ipv4,
})
