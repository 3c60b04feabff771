// SPDX-License-Identifier: Apache-2.0

package documents_test

import (
	"context"
	"fmt"
	"log"

	"dragoman"
	"dragoman/documents"
)

// The body of this function is a program of README.md.

func ExampleTranslateBytes() {
	ctx := context.Background()
	model, err := dragoman.LoadModel(ctx, "", nil)
	if err != nil {
		log.Fatal(err)
	}
	defer model.Close()
	translator, err := model.Translator(&dragoman.TranslateOptions{TargetLanguage: "de"})
	if err != nil {
		log.Fatal(err)
	}
	defer translator.Close()

	page := []byte("# A dog\n\nI have a **dog**.\n") // documents.Translate: from file to file
	found, err := documents.TranslateBytes(ctx, translator, "page.md", page, nil, nil)
	fmt.Println(documents.Format("page.md", nil), string(found), err)
	// Output:
	// markdown # Ein Hund
	//
	// Ich habe einen **Hund**.
	//  <nil>
}
