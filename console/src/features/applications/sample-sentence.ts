import { getBaseLanguage } from './speech-selection'

/** The text of a voice preview, by language code. */
const sentences: Readonly<Record<string, string>> = {
  ar: 'مرحبا، هكذا يبدو صوتي.',
  cs: 'Dobrý den, takhle zní můj hlas.',
  da: 'Goddag, sådan lyder min stemme.',
  de: 'Guten Tag, so klingt meine Stimme.',
  el: 'Καλημέρα, έτσι ακούγεται η φωνή μου.',
  en: 'Hello, this is what my voice sounds like.',
  es: 'Hola, así suena mi voz.',
  fi: 'Hei, tältä ääneni kuulostaa.',
  fr: 'Bonjour, voici ma voix.',
  hi: 'नमस्ते, मेरी आवाज़ ऐसी है।',
  hu: 'Jó napot, így szól a hangom.',
  it: 'Buongiorno, questa è la mia voce.',
  ja: 'こんにちは、これが私の声です。',
  ko: '안녕하세요, 제 목소리입니다.',
  nb: 'Hei, slik høres stemmen min ut.',
  nl: 'Goedendag, zo klinkt mijn stem.',
  pl: 'Dzień dobry, tak brzmi mój głos.',
  pt: 'Olá, é assim que soa a minha voz.',
  ro: 'Bună ziua, așa sună vocea mea.',
  ru: 'Здравствуйте, так звучит мой голос.',
  sv: 'Hej, så här låter min röst.',
  tr: 'Merhaba, sesim böyle duyuluyor.',
  uk: 'Добрий день, так звучить мій голос.',
  vi: 'Xin chào, đây là giọng nói của tôi.',
  zh: '您好，这就是我的声音。',
}

/** Other codes for the same languages. */
const languageAliases: Readonly<Record<string, string>> = {
  arb: 'ar',
  cmn: 'zh',
  eng: 'en',
  fra: 'fr',
  ger: 'de',
  no: 'nb',
  spa: 'es',
  yue: 'zh',
  // PlayHT uses language names
  arabic: 'ar',
  czech: 'cs',
  danish: 'da',
  dutch: 'nl',
  english: 'en',
  french: 'fr',
  german: 'de',
  greek: 'el',
  hindi: 'hi',
  hungarian: 'hu',
  italian: 'it',
  japanese: 'ja',
  korean: 'ko',
  mandarin: 'zh',
  polish: 'pl',
  portuguese: 'pt',
  russian: 'ru',
  spanish: 'es',
  swedish: 'sv',
  turkish: 'tr',
  ukrainian: 'uk',
}

/** Returns the sample sentence for a language, or the English one if there is none. */
export const getSampleSentence = (language: string): string => {
  const code = getBaseLanguage(language)
  return sentences[languageAliases[code] ?? code] ?? sentences.en!
}
