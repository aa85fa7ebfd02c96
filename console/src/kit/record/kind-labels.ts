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
const kinds: Record<string, { icon: LucideIcon; label: string; one: string }> = {
  account: { icon: Building2, label: 'Accounts', one: 'Account' },
  application: { icon: LayoutGrid, label: 'Applications', one: 'Application' },
  voip_carrier: { icon: Server, label: 'Carriers', one: 'Carrier' },
  phone_number: { icon: Hash, label: 'Phone numbers', one: 'Phone number' },
  api_key: { icon: KeyRound, label: 'API keys', one: 'API key' },
  user: { icon: Users, label: 'Users', one: 'User' },
  client: { icon: MonitorSmartphone, label: 'SIP clients', one: 'SIP client' },
  ms_teams_tenant: { icon: MessagesSquare, label: 'Microsoft Teams tenants', one: 'Microsoft Teams tenant' },
  speech_credential: { icon: AudioLines, label: 'Speech services', one: 'Speech service' },
  lcr: { icon: Split, label: 'Outbound call routes', one: 'Outbound call route' },
}

/** The icon and labels of a kind. Unknown kinds use their wire name. */
export const getKindLabels = (kind: string): { icon?: LucideIcon; label: string; one: string } =>
  kinds[kind] ?? { label: kind.replaceAll('_', ' '), one: kind.replaceAll('_', ' ') }
