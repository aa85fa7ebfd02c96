const synthesisSettings = ['vendor', 'label', 'language', 'voice'] as const
const recognizerSettings = ['vendor', 'label', 'language'] as const

type PrimaryColumn =
  `speech_synthesis_${(typeof synthesisSettings)[number]}` | `speech_recognizer_${(typeof recognizerSettings)[number]}`

/** The columns of an application that select the synthesizer and the recognizer, primary and fallback. */
export type SpeechColumn = PrimaryColumn | `fallback_${PrimaryColumn}`
export type SpeechColumns = Record<SpeechColumn, string | null>

const synthesisColumns = synthesisSettings.map((setting) => `speech_synthesis_${setting}` as const)
const recognizerColumns = recognizerSettings.map((setting) => `speech_recognizer_${setting}` as const)

/** The primary columns. The fallback columns have the same names with the prefix `fallback_`. */
export const primaryColumns: readonly PrimaryColumn[] = [...synthesisColumns, ...recognizerColumns]
export const fallbackColumns = primaryColumns.map((column) => `fallback_${column}` as const)

/** Swaps primary and fallback. A direction without a fallback stays unchanged. */
export const swapPrimaryAndFallback = (columns: SpeechColumns): SpeechColumns => {
  const columnsToSwap: readonly PrimaryColumn[] = [
    ...(columns.fallback_speech_synthesis_vendor ? synthesisColumns : []),
    ...(columns.fallback_speech_recognizer_vendor ? recognizerColumns : []),
  ]
  const result = { ...columns }
  for (const column of columnsToSwap) {
    result[column] = columns[`fallback_${column}`]
    result[`fallback_${column}`] = columns[column]
  }
  return result
}
