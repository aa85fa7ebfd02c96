import { resource } from '../kit/resource'
import type { Sbc, SbcDraft } from '../shapes/sbc'

/** The platform's own signalling addresses, which a carrier must let in. There is no read and no update. */
export const sbc = resource<Sbc, SbcDraft, never>()({
  kind: 'sbc',
  path: '/Sbcs',
  key: 'sbc_address_sid',
  noun: { singular: 'SBC address', plural: 'SBC addresses' },
  title: (row) => row.ipv4,
})
