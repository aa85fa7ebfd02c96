import {
  AudioLines,
  Building2,
  Hash,
  KeyRound,
  LayoutGrid,
  MessagesSquare,
  MonitorSmartphone,
  Server,
  Split,
  Users,
  type LucideIcon,
} from 'lucide-react'

/** The icon and labels of each kind of record, for screens that show several kinds. */
const kinds: Record<string, { icon: LucideIcon; label: string; singular: string }> = {
  account: { icon: Building2, label: 'Accounts', singular: 'Account' },
  application: { icon: LayoutGrid, label: 'Applications', singular: 'Application' },
  voip_carrier: { icon: Server, label: 'Carriers', singular: 'Carrier' },
  phone_number: { icon: Hash, label: 'Phone numbers', singular: 'Phone number' },
  api_key: { icon: KeyRound, label: 'API keys', singular: 'API key' },
  user: { icon: Users, label: 'Users', singular: 'User' },
  client: { icon: MonitorSmartphone, label: 'SIP clients', singular: 'SIP client' },
  ms_teams_tenant: { icon: MessagesSquare, label: 'Microsoft Teams tenants', singular: 'Microsoft Teams tenant' },
  speech_credential: { icon: AudioLines, label: 'Speech services', singular: 'Speech service' },
  lcr: { icon: Split, label: 'Routing tables', singular: 'Routing table' },
}

/** The icon and labels of a kind. Unknown kinds use their wire name. */
export const getKindLabels = (kind: string): { icon?: LucideIcon; label: string; singular: string } =>
  kinds[kind] ?? { label: kind.replaceAll('_', ' '), singular: kind.replaceAll('_', ' ') }
