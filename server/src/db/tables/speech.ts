import { datetime, flag, mediumtext, oneOf, sid, table, varchar } from '../columns'

export const speechCredentials = table(
  'speech_credentials',
  {
    speech_credential_sid: sid().primary(),
    service_provider_sid: sid().nullable().references('service_providers.service_provider_sid'),
    account_sid: sid().nullable().references('accounts.account_sid'),
    vendor: varchar(32),
    credential: varchar(8192).caseSensitive(),
    use_for_tts: flag().nullable().default(1),
    use_for_stt: flag().nullable().default(1),
    last_used: datetime().nullable(),
    last_tested: datetime().nullable(),
    tts_tested_ok: flag().nullable(),
    stt_tested_ok: flag().nullable(),
    created_at: datetime().defaultNow(),
    label: varchar(64).nullable(),
  },
  {
    indexes: {
      speech_credential_sid_idx: ['speech_credential_sid'],
      service_provider_sid_idx: ['service_provider_sid'],
      account_sid_idx: ['account_sid'],
    },
  },
)

export const googleCustomVoices = table(
  'google_custom_voices',
  {
    google_custom_voice_sid: sid().primary(),
    speech_credential_sid: sid().references('speech_credentials.speech_credential_sid', 'cascade'),
    model: varchar(512),
    reported_usage: oneOf('REPORTED_USAGE_UNSPECIFIED', 'REALTIME', 'OFFLINE').nullable().default('REALTIME'),
    name: varchar(64),
    voice_cloning_key: mediumtext().nullable(),
    use_voice_cloning_key: flag().nullable().default(0),
  },
  {
    indexes: {
      google_custom_voice_sid_idx: ['google_custom_voice_sid'],
      speech_credential_sid_idx: ['speech_credential_sid'],
    },
  },
)
