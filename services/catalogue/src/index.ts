export { loadCatalogue, parseCatalogue } from './shipped-catalogue';
export {
  catalogueDocument,
  catalogueDocuments,
  embeddingText,
  type CatalogueDocument,
} from './core/documents';
export { catalogueIndex } from './core/catalogue-index';
export type { Catalogue, FaqEntry, MangaTitle } from './core/schema';
