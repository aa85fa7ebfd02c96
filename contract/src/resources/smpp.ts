import { resource } from '../kit/resource'
import type { Smpp, SmppDraft } from '../shapes/smpp'

/** The platform's own SMPP addresses, which a carrier must let in. There is no read and no update. */
export const smpp = resource<Smpp, SmppDraft, never>()({
  kind: 'smpp',
  path: '/Smpps',
  key: 'smpp_address_sid',
  noun: { singular: 'SMPP address', plural: 'SMPP addresses' },
  title: (row) => row.ipv4,
})
