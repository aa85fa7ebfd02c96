import { defineResource } from '../kit/resource'
import type { Sbc, SbcDraft } from '../shapes/sbc'

/** The platform's SIP signalling addresses, which carriers must allow. The API has no read and no update. */
export const sbc = defineResource<Sbc, SbcDraft, never>()({
  kind: 'sbc',
  path: '/Sbcs',
  key: 'sbc_address_sid',
  noun: { singular: 'SBC address', plural: 'SBC addresses' },
  title: (row) => row.ipv4,
})
