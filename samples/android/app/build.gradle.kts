// SPDX-License-Identifier: Apache-2.0
plugins {
    id("com.android.application")
    id("org.jetbrains.kotlin.android")
}

val root = rootDir.resolve("../..")
val binding = root.resolve("bindings/java")

// The model that comes with the library; the app unpacks it once.
val modelAssets by tasks.registering(Sync::class) {
    from(root.resolve("models/en-de")) { include("*.json", "*.spm", "*.safetensors") }
    into(layout.buildDirectory.dir("model/en-de"))
}

// The classes of the Java binding that follow from the C API.
val bindingClasses by tasks.registering(Exec::class) {
    val folder = layout.buildDirectory.dir("binding").get().asFile
    commandLine("python3", binding.resolve("tools/make_java.py").path, folder.path)
}

android {
    namespace = "dev.dragoman.sample"
    compileSdk = 35
    ndkVersion = "28.2.13676358"

    defaultConfig {
        applicationId = "dev.dragoman.sample"
        minSdk = 33
        targetSdk = 35
        versionCode = 1
        versionName = "1.0"
        ndk { abiFilters += listOf("arm64-v8a", "x86_64") }
        externalNativeBuild {
            cmake {
                // scripts/cross/android.sh has built the dependencies.
                arguments += listOf(
                    "-DCMAKE_TOOLCHAIN_FILE=${root.resolve("scripts/cross/android.cmake")}",
                    "-DDRAGOMAN_ANDROID_DEPENDENCIES=${root.resolve("build/android")}",
                    "-DDRAGOMAN_BUILD_TESTS=OFF",
                    "-DDRAGOMAN_BUILD_CLI=OFF",
                    "-DDRAGOMAN_BUILD_SAMPLES=OFF",
                    "-DDRAGOMAN_BUILD_BENCH=OFF",
                )
                targets += "dragoman"
            }
        }
    }

    externalNativeBuild {
        cmake {
            path = root.resolve("CMakeLists.txt")
            version = "3.31.6"
        }
    }

    sourceSets.getByName("main") {
        java.srcDirs(binding.resolve("src/main/java"), layout.buildDirectory.dir("binding/java"))
        assets.srcDir(layout.buildDirectory.dir("model"))
    }

    compileOptions {
        sourceCompatibility = JavaVersion.VERSION_11
        targetCompatibility = JavaVersion.VERSION_11
    }
}

kotlin { compilerOptions { jvmTarget = org.jetbrains.kotlin.gradle.dsl.JvmTarget.JVM_11 } }

tasks.named("preBuild") { dependsOn(modelAssets, bindingClasses) }

dependencies {
    implementation("net.java.dev.jna:jna:5.17.0@aar")
    testImplementation("junit:junit:4.13.2")
}
