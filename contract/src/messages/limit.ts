export const messages = {
  labels: {
    voice_call_session: 'Max calls',
    voice_call_session_license: 'Licensed calls',
    voice_call_minutes: 'Max minutes',
    voice_call_minutes_license: 'Licensed minutes',
  },
  quantity: 'Enter quantity (0=unlimited)',
  invalidQuantity: (label: string) => `${label} must be a whole number, 0 or more.`,
  tooLarge: (label: string, maximum: number) => `${label} must be at most ${maximum}.`,
} as const
